// Calls the constructors of types that contain themselves, when the library is loaded.
#include "types.h"

namespace live {

static void Check(bool is_right, const char* what) {
  if (!is_right) TVM_FFI_THROW(RuntimeError) << what;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  Tree leaf(ffi::Array<Tree>{});
  Check(leaf->items.empty() && !leaf->up.has_value() && leaf->named.empty(), "the defaults of a tree");
  Check(leaf->mixed.get<int64_t>() == 1, "the default of one of several types");
  Tree root({leaf, leaf}, ffi::String("a note"), leaf, {{"leaf", leaf}}, leaf);
  Check(root->items.size() == 2 && root->items[1].same_as(leaf), "an array of the class itself");
  Check(root->up.value().same_as(leaf) && root->named["leaf"].same_as(leaf), "an optional and a map of the class itself");
  Check(root->mixed.get<Tree>().same_as(leaf), "the class itself as one of several types");
  Ping ping(ffi::Array<Pong>{});
  Pong pong(std::nullopt, {ping}, ping);
  Check(Ping({pong})->pongs[0]->pings[0].same_as(ping), "two classes that contain each other");
  Expr base = root;
  Check(base.as<Tree>().value()->items.size() == 2, "an object as an object of its parent");
}

}  // namespace live
