/* A native method that does nothing: what the cheapest possible call from Ruby costs. */
#include <ruby.h>

static VALUE nothing(VALUE self, VALUE first, VALUE second) {
  return Qnil;
}

void Init_floor(void) {
  rb_define_method(rb_define_class("Floor", rb_cObject), "nothing", nothing, 2);
}
