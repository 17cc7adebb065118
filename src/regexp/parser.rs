//! Ruby's syntax: alternatives, groups, options and repetitions.
//!
//! The structure of a pattern is taken exactly as Ruby takes it; a part whose meaning is not clear
//! becomes "any text", and a pattern whose structure is not clear is given up. Patterns that Ruby
//! refuses may have any result.

use crate::regexp::Flags;
use crate::regexp::ast::{Letter, Node, Unclear};
use crate::regexp::charset::{CharSet, complement};
use crate::regexp::class::{class, one_of};
use crate::regexp::cursor::Cursor;
use crate::regexp::escape::{Context, Escape, escape};
use regex_syntax::hir::Look;

/// How deep groups may be nested: every walk over a pattern is recursive.
const MOST_NESTED: usize = 64;

/// How often a repetition may be repeated.
const MOST_STACKED: usize = 4;

/// Parses a whole pattern.
pub(super) fn parse(source: &str, flags: Flags) -> Result<Node, Unclear> {
    let mut parser = Parser {
        cursor: Cursor::new(source),
        length: source.len(),
        room: MOST_NESTED,
        folds: flags.ignore_case,
        looks_behind: false,
        miscounted: false,
    };
    let options = Options {
        flags,
        unicode: false,
    };
    let node = parser.alternatives(options)?;
    // A closing parenthesis too many is an error to Ruby.
    let rest = parser.cursor.len() > 0;
    // Ruby may refuse to match such a pattern with text beyond ASCII, and has to be asked for that.
    let refused = parser.looks_behind && parser.folds;
    // Some versions of Ruby take comments away before they parse, which joins what is around them.
    let joined = source.contains("(?#") || (parser.miscounted && source.contains('#'));
    if rest || refused || joined {
        return Err(Unclear);
    }
    Ok(node)
}

/// The options in force at a place.
#[derive(Clone, Copy, Debug)]
struct Options {
    flags: Flags,
    /// After `(?u)`.
    unicode: bool,
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    /// How much was to be parsed.
    length: usize,
    /// How much deeper groups may be nested.
    room: usize,
    /// The option `i` is used somewhere.
    folds: bool,
    /// There is a look-behind.
    looks_behind: bool,
    /// There is something at which some versions of Ruby lose count of where comments can be: the
    /// option `x` does not hold throughout, or a closing bracket comes first in a class.
    miscounted: bool,
}

/// What an opening parenthesis begins.
#[derive(Clone, Copy, Debug)]
enum Group {
    /// The options hold to the end of the group around, alternatives included: `a(?i)b|c` is
    /// `a(?i:b|c)`.
    Options(Options),
    /// What is inside counts.
    Plain(Options),
    /// What is inside matches no characters.
    Around,
    /// What is inside must not be matched.
    Absent,
    /// One of two is tried, depending on another group.
    Condition,
}

impl Parser<'_> {
    /// Takes alternatives, up to a closing parenthesis or the end.
    fn alternatives(&mut self, options: Options) -> Result<Node, Unclear> {
        self.room = self.room.checked_sub(1).ok_or(Unclear)?;
        let mut branches = vec![self.sequence(options)?];
        while self.cursor.take("|") {
            branches.push(self.sequence(options)?);
        }
        self.room += 1;
        Ok(match branches.pop() {
            Some(only) if branches.is_empty() => only,
            last => {
                branches.extend(last);
                Node::Either(branches)
            }
        })
    }

    fn sequence(&mut self, options: Options) -> Result<Node, Unclear> {
        let mut nodes = Vec::new();
        loop {
            self.skip(options)?;
            if matches!(self.cursor.peek(), None | Some('|' | ')')) {
                return Ok(Node::Sequence(nodes));
            }
            if self.cursor.take("(") {
                let group = self.group(options)?;
                if let Group::Options(options) = group {
                    nodes.push(self.alternatives(options)?);
                    return Ok(Node::Sequence(nodes));
                }
                let node = self.inside(group, options)?;
                nodes.push(self.repeated(node, options)?);
                continue;
            }
            for node in self.atom(options)? {
                nodes.push(node);
            }
            if let Some(last) = nodes.pop() {
                nodes.push(self.repeated(last, options)?);
            }
        }
    }

    /// In extended patterns, takes white space and comments.
    fn skip(&mut self, options: Options) -> Result<(), Unclear> {
        if !options.flags.extended {
            return Ok(());
        }
        let mut separated = self.cursor.len() == self.length;
        let mut commented = false;
        loop {
            match self.cursor.peek() {
                Some(' ' | '\t' | '\n' | '\r' | '\x0c') => {
                    separated = true;
                    self.cursor.next();
                }
                Some('#') => {
                    commented = true;
                    if self.cursor.take_until('\n').is_none() {
                        while self.cursor.next().is_some() {}
                    }
                }
                next => {
                    // Some versions of Ruby join what is left and right of a comment.
                    let joined = commented && !separated && next.is_some();
                    return if joined { Err(Unclear) } else { Ok(()) };
                }
            }
        }
    }

    /// Takes what tells the kind of a group, after its opening parenthesis.
    fn group(&mut self, options: Options) -> Result<Group, Unclear> {
        if !self.cursor.take("?") {
            return Ok(Group::Plain(options));
        }
        for (around, behind) in [("=", false), ("!", false), ("<=", true), ("<!", true)] {
            if self.cursor.take(around) {
                self.looks_behind |= behind;
                return Ok(Group::Around);
            }
        }
        if self.cursor.take(":") || self.cursor.take(">") {
            return Ok(Group::Plain(options));
        }
        if self.cursor.take("~") {
            return Ok(Group::Absent);
        }
        for (opening, closing) in [("<", '>'), ("'", '\'')] {
            if self.cursor.take(opening) {
                self.cursor.take_name(closing).ok_or(Unclear)?;
                return Ok(Group::Plain(options));
            }
        }
        if self.cursor.take("(") {
            self.cursor.take_name(')').ok_or(Unclear)?;
            return Ok(Group::Condition);
        }
        self.options(options)
    }

    fn options(&mut self, around: Options) -> Result<Group, Unclear> {
        let mut options = around;
        let (mut on, mut widest) = (true, false);
        loop {
            match self.cursor.next().ok_or(Unclear)? {
                end @ (')' | ':') => {
                    self.folds |= options.flags.ignore_case;
                    self.miscounted |= options.flags.extended != around.flags.extended;
                    return Ok(if end == ')' {
                        Group::Options(options)
                    } else {
                        Group::Plain(options)
                    });
                }
                '-' => on = false,
                'i' => options.flags.ignore_case = on,
                'm' => options.flags.multi_line = on,
                'x' => options.flags.extended = on,
                'u' if on => {
                    widest = true;
                    options.unicode = true;
                }
                'a' | 'd' if on => options.unicode = widest,
                _ => return Err(Unclear),
            }
        }
    }

    /// Takes the inside of a group and its closing parenthesis.
    fn inside(&mut self, group: Group, around: Options) -> Result<Node, Unclear> {
        let options = match group {
            Group::Plain(options) | Group::Options(options) => options,
            Group::Around | Group::Absent | Group::Condition => around,
        };
        let node = self.alternatives(options)?;
        if !self.cursor.take(")") {
            return Err(Unclear);
        }
        Ok(match group {
            Group::Plain(_) | Group::Options(_) => node,
            Group::Around => Node::nothing(),
            Group::Absent => Node::Anything,
            // The second alternative may be missing.
            Group::Condition => Node::Either(vec![node, Node::nothing()]),
        })
    }

    /// Takes a character, a class or an escape sequence.
    fn atom(&mut self, options: Options) -> Result<Vec<Node>, Unclear> {
        let folds = options.flags.ignore_case;
        let letter = |char| Node::Letter(Letter { char, folds });
        let set = |set: CharSet| Node::Set(set.maybe);
        let context = Context {
            in_class: false,
            unicode: options.unicode,
            folds,
        };
        let node = match self.cursor.next().ok_or(Unclear)? {
            '[' => {
                self.miscounted |= self.cursor.is_at("]") || self.cursor.is_at("^]");
                class(&mut self.cursor, context)?
            }
            '.' => Node::Set(if options.flags.multi_line {
                CharSet::unknown().maybe
            } else {
                complement(CharSet::ascii(&[('\n', '\n')]).maybe)
            }),
            '^' => Node::Place(Look::StartLF),
            '$' => Node::Place(Look::EndLF),
            '\\' => match escape(&mut self.cursor, context)? {
                Escape::Char(char) => letter(char),
                Escape::Chars(chars) => return Ok(chars.into_iter().map(letter).collect()),
                Escape::Set(found) => set(found),
                Escape::Property(found) => one_of(found, false, folds),
                Escape::LineBreak => Node::LineBreak,
                Escape::Grapheme => Node::Repeat {
                    node: Box::new(set(CharSet::unknown())),
                    min: 1,
                    max: None,
                },
                Escape::Place(place) => Node::Place(place),
                Escape::WordBoundary => Node::WordBoundary,
                Escape::Nothing => Node::nothing(),
                Escape::Anything => Node::Anything,
            },
            // Ruby refuses these here; a brace is a character when it begins no interval.
            '*' | '+' | '?' => return Err(Unclear),
            char => letter(char),
        };
        Ok(vec![node])
    }

    /// Takes the quantifiers after a node.
    fn repeated(&mut self, mut node: Node, options: Options) -> Result<Node, Unclear> {
        let mut stacked = 0;
        loop {
            self.skip(options)?;
            let Some((min, max)) = self.quantifier()? else {
                return Ok(node);
            };
            stacked += 1;
            node = match node {
                Node::Anything => node,
                // To Ruby this is no repetition: `/fl{1}/i` matches `ﬂ`.
                _ if (min, max) == (1, Some(1)) => node,
                _ if stacked > MOST_STACKED => return Err(Unclear),
                _ => Node::Repeat {
                    node: Box::new(node),
                    min,
                    max,
                },
            };
        }
    }

    /// Takes one quantifier, with the sign that makes it lazy or possessive, which is no matter.
    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, Unclear> {
        let range = match self.cursor.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.interval(),
            _ => return Ok(None),
        };
        self.cursor.next();
        if !self.cursor.take("?") {
            self.cursor.take("+");
        }
        Ok(Some(range))
    }

    /// Takes an interval, unless this is none but a brace.
    fn interval(&mut self) -> Result<Option<(u32, Option<u32>)>, Unclear> {
        let mut cursor = self.cursor.clone();
        cursor.next();
        let number = |digits: &str| digits.parse::<u32>().map_err(|_| Unclear);
        let min = cursor.take_digits(10, usize::MAX);
        if !cursor.take(",") {
            if min.is_empty() || !cursor.take("}") {
                return Ok(None);
            }
            // A sign after this is a quantifier of its own: `a{2}?` is `(?:a{2})?`.
            self.cursor = cursor;
            let times = number(min)?;
            return Ok(Some((times, Some(times))));
        }
        let max = cursor.take_digits(10, usize::MAX);
        if (min.is_empty() && max.is_empty()) || !cursor.take("}") {
            return Ok(None);
        }
        // It can be lazy, but a plus after it is a quantifier of its own.
        cursor.take("?");
        self.cursor = cursor;
        let min = if min.is_empty() { 0 } else { number(min)? };
        let max = if max.is_empty() {
            None
        } else {
            Some(number(max)?)
        };
        if max.is_some_and(|max| max < min) {
            return Err(Unclear);
        }
        Ok(Some((min, max)))
    }
}
