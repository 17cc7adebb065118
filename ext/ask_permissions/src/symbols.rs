//! The Symbols that cross the border, resolved once.

use ask_permissions_core::Decision;
use magnus::{Ruby, Symbol, Value, rb_sys::AsRawValue, value::LazyId};

/// Declares cached Symbols, and the function that resolves them all.
macro_rules! symbols {
    ($($constant:ident = $name:literal;)*) => {
        $(pub static $constant: LazyId = LazyId::new($name);)*

        pub fn init(ruby: &Ruby) {
            $(LazyId::force(&$constant, ruby);)*
        }
    };
}

symbols! {
    ALL = "all";
    ALLOW = "allow";
    APPLYING = "applying";
    APPROVED = "approved";
    ASK = "ask";
    BLOCK = "block";
    CLASSIFY_BY_LIST = "classify_by_list";
    DECIDING_INDEX_BY_LIST = "deciding_index_by_list";
    DENY = "deny";
    ENQUEUE = "enqueue";
    ENQUEUE_AS_THE_TOOL_SAYS = "enqueue_as_the_tool_says";
    EQL = "eql?";
    EQUAL = "==";
    GENERATE = "generate";
    HASH = "hash";
    INCLUDE = "include?";
    IS_A = "is_a?";
    LINEAR_TIME = "linear_time?";
    MATCH = "match?";
    NIL = "nil?";
    OWNER = "owner";
    PENDING = "pending";
    PROCEED = "proceed";
    REJECTED = "rejected";
    REQUIRE_APPROVAL = "require_approval";
    RULES = "rules";
    SOURCE = "source";
    TIMEOUT = "timeout";
    TO_S = "to_s";
}

/// The Symbol of a cached name.
pub fn symbol(ruby: &Ruby, name: &'static LazyId) -> Symbol {
    LazyId::get_inner_with(name, ruby).into()
}

/// Whether a value is the Symbol of a cached name.
pub fn is(ruby: &Ruby, value: Value, name: &'static LazyId) -> bool {
    value.as_raw() == symbol(ruby, name).as_raw()
}

/// The Symbol under which Ruby knows a decision.
pub fn decision(ruby: &Ruby, decision: Decision) -> Symbol {
    symbol(ruby, decision_name(decision))
}

/// The decision that a value names, if it is the Symbol of one.
pub fn to_decision(ruby: &Ruby, value: Value) -> Option<Decision> {
    Decision::ALL
        .into_iter()
        .find(|decision| is(ruby, value, decision_name(*decision)))
}

const fn decision_name(decision: Decision) -> &'static LazyId {
    match decision {
        Decision::Allow => &ALLOW,
        Decision::Ask => &ASK,
        Decision::Deny => &DENY,
    }
}
