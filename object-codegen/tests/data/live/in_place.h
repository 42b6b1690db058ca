#pragma once
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

namespace live {

namespace ffi = ::tvm::ffi;

// tschema: ExprNode
// tschema: end
// tschema: Expr
// tschema: end

// Types that contain themselves have their reference classes first.
// tschema: Tree
// tschema: custom-begin
  int Depth() const;
// tschema: custom-end
// tschema: end
// tschema: Ping
// tschema: end
// tschema: Pong
// tschema: end
// tschema: TreeNode
// tschema: end
// tschema: PingNode
// tschema: end
// tschema: PongNode
// tschema: custom-begin
  int64_t Count() const { return static_cast<int64_t>(pings.size()); }
// tschema: custom-end
// tschema: end

inline int Tree::Depth() const { return get()->up.has_value() ? get()->up.value().Depth() + 1 : 0; }

inline Tree Leaf() { return Tree(ffi::Array<Tree>{}); }

}  // namespace live
