//! `Native::RuleSet`: the rules of one `PermissionRules`.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use ask_permissions_core::{
    ArgumentPattern, Engine, Lookup, Plan, Text, ToolPattern, Verdict, decision::DANGEROUS_TOOLS,
};
use magnus::{
    DataTypeFunctions, Error, Module, Object, RArray, RModule, RRegexp, RString, Ruby, Symbol,
    TypedData, Value, function, method,
    prelude::*,
    rb_sys::{AsRawValue, FromRawValue, protect},
    value::Lazy,
};

use crate::{data, lock::Lock, regexp, ruby_host::RubyHost, symbols, text};

/// `Ask::Permissions::Native`, which holds what is written in Ruby.
static NATIVE: Lazy<RModule> = Lazy::new(|ruby| {
    ["Ask", "Permissions", "Native"]
        .iter()
        .try_fold(ruby.class_object().as_value(), |outer, name| {
            outer.funcall("const_get", (*name,))
        })
        .ok()
        .and_then(RModule::from_value)
        .unwrap_or_else(|| ruby.module_kernel())
});

/// The place of `effective_decision` among the members of a `Rule`.
const EFFECTIVE_DECISION: usize = 2;

/// Rules behind a lock. A classification takes its own reference to the rules and runs without the
/// lock, so that what it asks Ruby may declare rules meanwhile.
#[derive(TypedData)]
#[magnus(
    class = "Ask::Permissions::Native::RuleSet",
    free_immediately,
    size,
    frozen_shareable
)]
pub struct RuleSetHandle {
    engine: Lock<Engine>,
    /// The class of the owner, once it is known that its `rules` are the rules here. It is only
    /// compared, never used as an object.
    plain_owner: AtomicU64,
    /// When that was found out.
    plain_epoch: AtomicU64,
}

impl DataTypeFunctions for RuleSetHandle {
    fn size(&self) -> usize {
        // What a rule costs at the least; patterns come on top.
        const RULE: usize = 96;
        size_of::<Self>() + self.engine.with(|engine| engine.len()) * RULE
    }
}

impl RuleSetHandle {
    fn new() -> Self {
        Self {
            engine: Lock::default(),
            plain_owner: AtomicU64::new(0),
            plain_epoch: AtomicU64::new(0),
        }
    }

    /// An independent handle, and copies of the two Arrays that go with it. No Ruby runs in between,
    /// so the three are of one moment.
    fn copy(
        ruby: &Ruby,
        handle: &Self,
        declared: RArray,
        patterns: RArray,
    ) -> Result<RArray, Error> {
        let copy = Self {
            engine: Lock::new(handle.engine.with(|engine| engine.clone())),
            plain_owner: AtomicU64::new(0),
            plain_epoch: AtomicU64::new(0),
        };
        let all = ruby.ary_new_capa(3);
        all.push(declared.dup())?;
        all.push(patterns.dup())?;
        all.push(ruby.obj_wrap(copy))?;
        Ok(all)
    }

    /// Appends a rule: its Ruby object to `declared`, its patterns as captured to `patterns`, and
    /// itself to the core. No Ruby runs in between, so the three stay in step.
    fn declare(
        ruby: &Ruby,
        handle: &Self,
        declared: RArray,
        patterns: RArray,
        rule: Value,
        tool: Value,
        argument: Value,
    ) -> Result<(), Error> {
        let effective = symbols::to_decision(ruby, data::member(rule, EFFECTIVE_DECISION)?)
            .ok_or_else(|| {
                Error::new(
                    ruby.exception_arg_error(),
                    "a decision is :allow, :ask or :deny",
                )
            })?;
        let (tool_pattern, tool) = capture_tool(ruby, tool)?;
        let (argument_pattern, argument) = capture_argument(ruby, argument)?;
        declared.push(rule)?;
        patterns.cat(&[tool, argument])?;
        handle.engine.with(|engine| {
            engine.declare(effective, tool_pattern, argument_pattern);
        });
        Ok(())
    }

    fn verdict(
        ruby: &Ruby,
        handle: &Self,
        patterns: RArray,
        tool: Value,
        arguments: Value,
    ) -> Result<Option<Verdict>, Error> {
        let engine = &handle.engine;
        let built_in = text::plain_string(ruby, tool, &symbols::TO_S)
            .filter(|name| !text::is_odd_empty(*name));
        let (name, known) = if let Some(name) = built_in {
            // SAFETY: no Ruby runs in the closure, and the answer does not borrow the name.
            let known = engine.with(|engine| engine.lookup(unsafe { text::borrow(name) }));
            (name, known)
        } else {
            // The rules that count are those from before the tool was asked for its name.
            let rules = engine.with(|engine| engine.rules());
            if rules.is_empty() {
                return Ok(None);
            }
            let name: Value = tool.funcall(*symbols::TO_S, ())?;
            let Some(text) = RString::from_value(name).filter(|name| !text::is_odd_empty(*name))
            else {
                let mut host = RubyHost::new(ruby, patterns, name, arguments);
                return Plan::without_name(&rules).first_match(&rules, &mut host);
            };
            // SAFETY: as above.
            let known =
                engine.with(|engine| engine.lookup_under(&rules, unsafe { text::borrow(text) }));
            (text, known)
        };
        match known {
            Lookup::Decided(verdict) => Ok(verdict),
            Lookup::Planned(rules, plan) => {
                let mut host = RubyHost::new(ruby, patterns, name.as_value(), arguments);
                plan.first_match(&rules, &mut host)
            }
            Lookup::Unplanned(rules) => {
                // What is remembered must be what was asked: the name cannot change meanwhile.
                let name = RString::new_frozen(name);
                let mut host = RubyHost::new(ruby, patterns, name.as_value(), arguments);
                // SAFETY: the text is copied before this statement ends.
                let key = unsafe { text::borrow(name) }.to_text();
                let plan = Arc::new(Plan::new(&rules, key.as_ref(), &mut host)?);
                handle
                    .engine
                    .with(|engine| engine.remember(key.as_ref(), &rules, &plan));
                plan.first_match(&rules, &mut host)
            }
        }
    }

    /// The decision of the first matching rule.
    fn classify(
        ruby: &Ruby,
        handle: &Self,
        owner: Value,
        rules: RArray,
        patterns: RArray,
        tool: Value,
        arguments: Value,
    ) -> Result<Value, Error> {
        if !handle.decides_for(ruby, owner, rules)? {
            let native = ruby.get_inner(&NATIVE);
            return native.funcall(*symbols::CLASSIFY_BY_LIST, (owner, tool, arguments));
        }
        let verdict = Self::verdict(ruby, handle, patterns, tool, arguments)?;
        Ok(verdict.map_or_else(
            || ruby.qnil().as_value(),
            |verdict| symbols::decision(ruby, verdict.decision).as_value(),
        ))
    }

    /// The position of the first matching rule.
    fn deciding_index(
        ruby: &Ruby,
        handle: &Self,
        owner: Value,
        rules: RArray,
        patterns: RArray,
        tool: Value,
        arguments: Value,
    ) -> Result<Option<usize>, Error> {
        if !handle.decides_for(ruby, owner, rules)? {
            let native = ruby.get_inner(&NATIVE);
            return native.funcall(*symbols::DECIDING_INDEX_BY_LIST, (owner, tool, arguments));
        }
        let verdict = Self::verdict(ruby, handle, patterns, tool, arguments)?;
        Ok(verdict.map(|verdict| verdict.rule))
    }

    /// Whether the owner lists the rules here: its `rules` is the method of `PermissionRules` and
    /// not one that a subclass or a mock has put in its place, and nobody has changed the list.
    fn decides_for(&self, ruby: &Ruby, owner: Value, rules: RArray) -> Result<bool, Error> {
        if rules.len() != self.engine.with(|engine| engine.len()) {
            return Ok(false);
        }
        let class = text::real_class(owner).as_raw();
        let has_singleton_class = text::class_of(owner) != class;
        let epoch = EPOCH.load(Ordering::Relaxed);
        // A singleton class can get another method at any time; others say so (see `redefined`).
        // The class of an object stays the same, so its address is only ever its own.
        if !has_singleton_class
            && class == self.plain_owner.load(Ordering::Relaxed)
            && epoch == self.plain_epoch.load(Ordering::Relaxed)
        {
            return Ok(true);
        }
        if BASE_REDEFINED.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let name = symbols::symbol(ruby, &symbols::RULES);
        // SAFETY: `protect` passes on what `rb_obj_method` raises; the result is a Method.
        let method = unsafe {
            Value::from_raw(protect(|| {
                rb_sys::rb_obj_method(owner.as_raw(), name.as_raw())
            })?)
        };
        let defined_by: Value = method.funcall(*symbols::OWNER, ())?;
        let base: Value = ruby.get_inner(&NATIVE).const_get("BASE")?;
        let plain = defined_by.as_raw() == base.as_raw();
        if plain && !has_singleton_class {
            self.plain_owner.store(class, Ordering::Relaxed);
            self.plain_epoch.store(epoch, Ordering::Relaxed);
        }
        Ok(plain)
    }
}

/// Counts how often a class of rules got another `rules`.
static EPOCH: AtomicU64 = AtomicU64::new(1);
/// Whether `PermissionRules` itself got another one.
static BASE_REDEFINED: AtomicBool = AtomicBool::new(false);

/// Told by `PermissionRules` when it, or a subclass, may have got another `rules`.
fn redefined(base: bool) {
    BASE_REDEFINED.fetch_or(base, Ordering::Relaxed);
    EPOCH.fetch_add(1, Ordering::Relaxed);
}

/// The core's tool pattern, and what Ruby is asked with where the core cannot tell.
fn capture_tool(ruby: &Ruby, pattern: Value) -> Result<(ToolPattern, Value), Error> {
    if symbols::is(ruby, pattern, &symbols::ALL) {
        return Ok((ToolPattern::Any, pattern));
    }
    if pattern.is_nil() {
        return Ok((ToolPattern::Exact("".into()), pattern));
    }
    if RRegexp::from_value(pattern).is_some() {
        let tool = if regexp::is_quick(ruby, pattern)? {
            ToolPattern::Regexp
        } else {
            ToolPattern::Host
        };
        return Ok((tool, pattern));
    }
    let (text, pattern) = capture(ruby, pattern);
    Ok((text.map_or(ToolPattern::Host, ToolPattern::Exact), pattern))
}

/// The core's argument pattern, and what Ruby is asked with where the core cannot tell.
fn capture_argument(
    ruby: &Ruby,
    pattern: Value,
) -> Result<(Option<ArgumentPattern>, Value), Error> {
    if pattern.is_nil() {
        return Ok((None, pattern));
    }
    if let Some(source) = regexp::source(ruby, pattern)? {
        return Ok((Some(ArgumentPattern::Regexp(source)), pattern));
    }
    if RRegexp::from_value(pattern).is_some() {
        return Ok((Some(ArgumentPattern::Host), pattern));
    }
    let (text, pattern) = capture(ruby, pattern);
    let captured = text.map_or(ArgumentPattern::Object, ArgumentPattern::Substring);
    Ok((Some(captured), pattern))
}

/// The text of a String or Symbol as it is now, and a form of it that cannot change any more. For
/// anything else, Ruby is asked each time.
fn capture(ruby: &Ruby, pattern: Value) -> (Option<Text>, Value) {
    let string = if let Some(symbol) = Symbol::from_value(pattern) {
        text::symbol_name(symbol)
    } else if let Some(string) = text::plain_string(ruby, pattern, &symbols::TO_S) {
        RString::new_frozen(string)
    } else {
        return (None, pattern);
    };
    // SAFETY: the text is copied before this statement ends.
    let text = unsafe { text::borrow(string) }.to_text();
    (Some(text), string.as_value())
}

/// What a rule of this declared decision answers.
fn effective_decision(
    ruby: &Ruby,
    declared: Value,
    dangerous: bool,
    auto_allow_dangerous: bool,
) -> Value {
    symbols::to_decision(ruby, declared).map_or(declared, |decision| {
        let effective = decision.effective(dangerous, auto_allow_dangerous);
        symbols::decision(ruby, effective).as_value()
    })
}

fn dangerous_tools(ruby: &Ruby) -> RArray {
    ruby.ary_from_iter(DANGEROUS_TOOLS.map(|name| ruby.to_symbol(name)))
}

pub fn init(ruby: &Ruby, native: RModule) -> Result<(), Error> {
    let class = native.define_class("RuleSet", ruby.class_object())?;
    <RuleSetHandle as TypedData>::class(ruby);
    Lazy::force(&NATIVE, ruby);
    class.define_singleton_method("new", function!(RuleSetHandle::new, 0))?;
    class.define_method("copy", method!(RuleSetHandle::copy, 2))?;
    class.define_method("declare", method!(RuleSetHandle::declare, 5))?;
    class.define_method("classify", method!(RuleSetHandle::classify, 5))?;
    class.define_method("deciding_index", method!(RuleSetHandle::deciding_index, 5))?;
    native.define_module_function("redefined", function!(redefined, 1))?;
    native.define_module_function("effective_decision", function!(effective_decision, 3))?;
    native.define_module_function("dangerous_tools", function!(dangerous_tools, 0))
}
