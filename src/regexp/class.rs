//! Character classes: what stands in brackets.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::regexp::ast::{Letter, Node, Unclear};
use crate::regexp::charset::{CharSet, complement};
use crate::regexp::cursor::Cursor;
use crate::regexp::escape::{Context, Escape, escape};
use crate::regexp::fold::{ascii_cases, closure, has_full_fold};
use crate::regexp::property::posix;

/// How deep brackets may be nested.
const MOST_NESTED: usize = 32;

/// Takes a class, after its opening bracket.
pub(super) fn class(cursor: &mut Cursor<'_>, context: Context) -> Result<Node, Unclear> {
    let folds = context.folds;
    let negated = cursor.take("^");
    let mut parser = ClassParser {
        context: Context {
            in_class: true,
            ..context
        },
        odd: false,
        combines: false,
    };
    let mut set = parser.members(cursor, MOST_NESTED)?;
    if parser.odd {
        set = CharSet::unknown();
    } else if parser.combines {
        set.blur();
    }
    // To Ruby a class of one character is a letter, which folds together with those around it.
    if folds && !negated && (parser.odd || parser.combines) && !has_several(&set.surely) {
        return Err(Unclear);
    }
    Ok(one_of(set, negated, folds))
}

/// One character of a set, or one that is not in it.
pub(super) fn one_of(set: CharSet, negated: bool, folds: bool) -> Node {
    if negated {
        // What a member folds to is a member, too, and so not outside: that of ASCII for sure.
        return Node::Set(complement(if folds {
            ascii_cases(&set.surely)
        } else {
            set.surely
        }));
    }
    if let Some(char) = set.only() {
        return Node::Letter(Letter { char, folds });
    }
    if !folds {
        return Node::Set(set.maybe);
    }
    let closed = closure(&set.maybe);
    if has_full_fold(&set.maybe) {
        Node::FoldedSet(closed)
    } else {
        Node::Set(closed)
    }
}

fn has_several(set: &ClassUnicode) -> bool {
    match set.ranges() {
        [] => false,
        [only] => only.start() < only.end(),
        _ => true,
    }
}

struct ClassParser {
    context: Context,
    /// Something was seen that has a meaning of its own in each version of Ruby. It does not
    /// change where the class ends.
    odd: bool,
    /// There are classes inside, or intersections. With these Ruby errs beyond ASCII: `[[^\D]]`
    /// matches a letter, `[^\D]` does not.
    combines: bool,
}

/// Where the members of a class are collected.
#[derive(Default)]
struct Members {
    surely: Vec<ClassUnicodeRange>,
    maybe: Vec<ClassUnicodeRange>,
    /// What stands to the left of the last `&&`.
    left: Option<CharSet>,
}

impl ClassParser {
    /// Takes the members and the closing bracket.
    fn members(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<CharSet, Unclear> {
        let depth = depth.checked_sub(1).ok_or(Unclear)?;
        let mut members = Members::default();
        // A closing bracket that comes first is a character.
        if cursor.take("]") {
            members.range(']', ']');
        }
        let mut first = members.maybe.is_empty();
        loop {
            if cursor.take("]") {
                return Ok(members.finished(&mut self.odd));
            }
            if cursor.take("&&") {
                self.combines = true;
                members.intersect(&mut self.odd);
                continue;
            }
            if cursor.take("[") {
                self.nested(cursor, &mut members, depth)?;
            } else if !first && cursor.is_at("-") {
                cursor.next();
                self.odd |= !cursor.is_at("]");
                members.range('-', '-');
            } else {
                self.member(cursor, &mut members)?;
            }
            first = false;
        }
    }

    /// A class in a class, after its opening bracket.
    fn nested(
        &mut self,
        cursor: &mut Cursor<'_>,
        members: &mut Members,
        depth: usize,
    ) -> Result<(), Unclear> {
        if cursor.take(":") {
            let negated = cursor.take("^");
            let name = cursor.take_until(':').ok_or(Unclear)?;
            let set = posix(name).ok_or(Unclear)?;
            if !cursor.take("]") {
                return Err(Unclear);
            }
            members.set(&if negated { set.negated() } else { set });
            return Ok(());
        }
        self.combines = true;
        let negated = cursor.take("^");
        // Some versions of Ruby lose count of brackets here.
        if cursor.is_at("]") {
            return Err(Unclear);
        }
        let set = self.members(cursor, depth)?;
        members.set(&if negated { set.negated() } else { set });
        Ok(())
    }

    /// A character, a range of characters or an escape sequence.
    fn member(&mut self, cursor: &mut Cursor<'_>, members: &mut Members) -> Result<(), Unclear> {
        let Some(first) = self.char(cursor, members)? else {
            return Ok(());
        };
        let mut after_dash = cursor.clone();
        if !after_dash.take("-") || after_dash.is_at("]") {
            members.range(first, first);
            return Ok(());
        }
        if after_dash.is_at("[") || after_dash.is_at("&&") {
            // What such a dash means is the next member's business.
            members.range(first, first);
            return Ok(());
        }
        *cursor = after_dash;
        match self.char(cursor, members)? {
            Some(last) if first <= last => {
                members.range(first, last);
            }
            _ => self.odd = true,
        }
        Ok(())
    }

    /// A single character; `None` after something else was taken, which is in the members then.
    fn char(
        &mut self,
        cursor: &mut Cursor<'_>,
        members: &mut Members,
    ) -> Result<Option<char>, Unclear> {
        let char = cursor.next().ok_or(Unclear)?;
        if char != '\\' {
            return Ok(Some(char));
        }
        match escape(cursor, self.context)? {
            Escape::Char(char) => return Ok(Some(char)),
            Escape::Set(set) | Escape::Property(set) => members.set(&set),
            Escape::Chars(chars) => {
                self.odd |= cursor.is_at("-");
                for char in chars {
                    members.range(char, char);
                }
            }
            _ => self.odd = true,
        }
        Ok(None)
    }
}

impl Members {
    fn range(&mut self, first: char, last: char) {
        let range = ClassUnicodeRange::new(first, last);
        self.surely.push(range);
        self.maybe.push(range);
    }

    fn set(&mut self, set: &CharSet) {
        self.surely.extend(set.surely.iter());
        self.maybe.extend(set.maybe.iter());
    }

    /// What was collected so far is one side of an intersection.
    fn intersect(&mut self, odd: &mut bool) {
        *odd |= self.maybe.is_empty();
        let mut side = CharSet {
            surely: ClassUnicode::new(std::mem::take(&mut self.surely)),
            maybe: ClassUnicode::new(std::mem::take(&mut self.maybe)),
        };
        if let Some(left) = &self.left {
            side.intersect(left);
        }
        self.left = Some(side);
    }

    fn finished(mut self, odd: &mut bool) -> CharSet {
        self.intersect(odd);
        self.left.unwrap_or_else(CharSet::unknown)
    }
}
