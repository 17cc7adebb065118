//! What only Ruby can answer while a call is classified.

use ask_permissions_core::{Host, TextRef};
use magnus::{
    Error, Module, RArray, RModule, RRegexp, Ruby, Value, prelude::*, rb_sys::AsRawValue,
};

use crate::{regexp, symbols, text};

/// Ruby's side of one classification.
pub struct RubyHost<'a> {
    ruby: &'a Ruby,
    /// The patterns as the rules captured them: the tool and the argument pattern of each rule.
    patterns: RArray,
    tool_name: Value,
    arguments: Value,
    /// The text of the arguments, once it was needed.
    text: Option<Value>,
}

impl<'a> RubyHost<'a> {
    pub const fn new(ruby: &'a Ruby, patterns: RArray, tool_name: Value, arguments: Value) -> Self {
        Self {
            ruby,
            patterns,
            tool_name,
            arguments,
            text: None,
        }
    }

    fn text(&mut self) -> Result<Value, Error> {
        if let Some(text) = self.text {
            return Ok(text);
        }
        let text = self.serialize()?;
        self.text = Some(text);
        Ok(text)
    }

    fn serialize(&self) -> Result<Value, Error> {
        // A String is its own text; one of a subclass has a plain String for it.
        let own_text =
            text::plain_string(self.ruby, self.arguments, &symbols::TO_S).is_some_and(|text| {
                text::real_class(text.as_value()).as_raw() == self.ruby.class_string().as_raw()
            });
        if own_text {
            return Ok(self.arguments);
        }
        let hash: Value = self
            .arguments
            .funcall(*symbols::IS_A, (self.ruby.class_hash(),))?;
        if hash.to_bool() {
            let json: RModule = self.ruby.class_object().const_get("JSON")?;
            json.funcall(*symbols::GENERATE, (self.arguments,))
        } else {
            self.arguments.funcall(*symbols::TO_S, ())
        }
    }

    fn pattern(&self, index: usize, part: usize) -> Result<Value, Error> {
        let position = index * 2 + part;
        // A pattern that is not there must not be taken for one that restricts nothing.
        if position >= self.patterns.len() {
            return Err(Error::new(
                self.ruby.exception_runtime_error(),
                "the patterns of these rules have been tampered with",
            ));
        }
        self.patterns
            .entry(isize::try_from(position).unwrap_or(isize::MAX))
    }
}

impl Host for RubyHost<'_> {
    type Error = Error;

    fn tool_matches(&mut self, index: usize) -> Result<bool, Error> {
        let pattern = self.pattern(index, 0)?;
        let answer: Value = if RRegexp::from_value(pattern).is_some() {
            pattern.funcall(*symbols::MATCH, (self.tool_name,))?
        } else {
            let name: Value = pattern.funcall(*symbols::TO_S, ())?;
            name.funcall(*symbols::EQUAL, (self.tool_name,))?
        };
        Ok(answer.to_bool())
    }

    fn lasting_tool_match(&mut self, index: usize) -> Result<Option<bool>, Error> {
        match self.tool_matches(index) {
            Ok(answer) => Ok(Some(answer)),
            // The name and the Regexp do not go together, or take too long. Whoever gets as far as
            // this rule is told; nobody else.
            Err(error) if regexp::is_about_matching(self.ruby, &error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn argument_text(&mut self) -> Result<Option<TextRef<'_>>, Error> {
        let text = self.text()?;
        // SAFETY: the answer borrows this host, whose every method that calls Ruby borrows it
        // mutably; so it is gone before Ruby runs again.
        Ok(text::plain_string(self.ruby, text, &symbols::INCLUDE)
            .map(|text| unsafe { text::borrow(text) }))
    }

    fn argument_matches(&mut self, index: usize) -> Result<bool, Error> {
        let pattern = self.pattern(index, 1)?;
        let is_regexp = RRegexp::from_value(pattern).is_some();
        // An object may say that it is nil, which restricts nothing.
        if !is_regexp && pattern.funcall::<_, _, Value>(*symbols::NIL, ())?.to_bool() {
            return Ok(true);
        }
        let text = self.text()?;
        let answer: Value = if is_regexp {
            pattern.funcall(*symbols::MATCH, (text,))?
        } else {
            let needle: Value = pattern.funcall(*symbols::TO_S, ())?;
            text.funcall(*symbols::INCLUDE, (needle,))?
        };
        Ok(answer.to_bool())
    }
}
