// The listings of TVM's notes about packed functions, over tvm-ffi, and calls of functions of Rust from C++.
#include <tvm/ffi/tvm_ffi.h>

#include <functional>

namespace ffi = tvm::ffi;

// The classes of the listings, which tvm-ffi has under other names.
struct PackedFunc;

struct TVMArgValue {
  ffi::AnyView value;
  template <typename T>
  operator T() const {
    return value.cast<T>();
  }
  operator PackedFunc() const;
};

struct TVMArgs {
  ffi::PackedArgs args;
  TVMArgValue operator[](int index) const { return TVMArgValue{args[index]}; }
};

using TVMRetValue = ffi::Any;

struct PackedFunc {
  using Body = std::function<void(TVMArgs, TVMRetValue*)>;
  struct Result {
    ffi::Any value;
    template <typename T>
    operator T() const {
      return value.cast<T>();
    }
  };
  ffi::Function function;

  explicit PackedFunc(ffi::Function function) : function(function) {}
  explicit PackedFunc(Body body)
      : function(ffi::Function::FromPacked(
            [body](ffi::PackedArgs args, ffi::Any* rv) { body(TVMArgs{args}, rv); })) {}
  template <typename... Args>
  Result operator()(Args&&... args) const {
    return Result{function(std::forward<Args>(args)...)};
  }
};

TVMArgValue::operator PackedFunc() const { return PackedFunc(value.cast<ffi::Function>()); }

struct Registry {
  const char* name;
  Registry& set_body(PackedFunc::Body body) {
    ffi::Function::SetGlobal(name, PackedFunc(body).function);
    return *this;
  }
};

#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)
#define TVM_REGISTER_GLOBAL(name) static Registry NAME(registered, __COUNTER__) = Registry{name}

// The listings.
void MyAdd(TVMArgs args, TVMRetValue* rv) {
  int a = args[0];
  int b = args[1];
  *rv = a + b;
}

void CallPacked() {
  PackedFunc myadd = PackedFunc(MyAdd);
  int c = myadd(1, 2);
  TVM_FFI_ICHECK_EQ(c, 3);
}

TVM_REGISTER_GLOBAL("myadd")
  .set_body(MyAdd);

TVM_REGISTER_GLOBAL("callhello")
.set_body([](TVMArgs args, TVMRetValue* rv) {
  PackedFunc f = args[0];
  f("hello world");
});

// C++ calls Rust, and Rust calls C++.
TVM_REGISTER_GLOBAL("notes.call_rust")
.set_body([](TVMArgs args, TVMRetValue* rv) {
  CallPacked();
  PackedFunc callhello(ffi::Function::GetGlobalRequired("lambda.callhello"));
  ffi::String said;
  callhello(ffi::Function::FromTyped([&said](ffi::String message) { said = message; }));
  PackedFunc myadd(ffi::Function::GetGlobalRequired("lambda.myadd"));
  int c = myadd(1, 2);
  TVM_FFI_ICHECK_EQ(c, 3);
  // An error of Rust is an error of C++ with its class.
  try {
    myadd(1, "two");
    TVM_FFI_THROW(RuntimeError) << "expected an error";
  } catch (const ffi::Error& error) {
    TVM_FFI_ICHECK_EQ(error.kind(), "TypeError");
  }
  // Rust composes two functions of C++.
  PackedFunc compose(ffi::Function::GetGlobalRequired("lambda.compose"));
  PackedFunc both = PackedFunc(static_cast<ffi::Any>(compose(
      ffi::Function::FromTyped([](int64_t x) { return x * 10; }),
      ffi::Function::FromTyped([](int64_t x) { return x + 1; })).value).cast<ffi::Function>());
  int composed = both(4);
  TVM_FFI_ICHECK_EQ(composed, 50);
  *rv = said;
});

struct Memory {
  void AllocData(DLTensor* tensor) { tensor->data = new float[8](); }
  void FreeData(DLTensor* tensor) { delete[] static_cast<float*>(tensor->data); }
};

// A tensor of C++ has the same memory in Rust.
TVM_REGISTER_GLOBAL("notes.lend_tensor")
.set_body([](TVMArgs args, TVMRetValue* rv) {
  ffi::Tensor tensor = ffi::Tensor::FromNDAlloc(
      Memory(), ffi::Shape({8}), DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0});
  auto rust = [](const char* name) { return ffi::Function::GetGlobalRequired(name); };
  rust("lambda.increment")(tensor);
  TVM_FFI_ICHECK_EQ(static_cast<float*>(tensor.data_ptr())[7], 1.0f);
  TVM_FFI_ICHECK(rust("lambda.echo_view")(tensor).cast<ffi::Tensor>().same_as(tensor));
  // A view of C++ has no owner: Rust copies it, and takes no view of it.
  ffi::TensorView view = tensor;
  ffi::Tensor doubled = rust("lambda.double")(view).cast<ffi::Tensor>();
  TVM_FFI_ICHECK_EQ(static_cast<float*>(doubled.data_ptr())[7], 2.0f);
  try {
    rust("lambda.echo_view")(view);
    TVM_FFI_THROW(RuntimeError) << "expected an error";
  } catch (const ffi::Error& error) {
    TVM_FFI_ICHECK_EQ(error.kind(), "TypeError");
  }
});
