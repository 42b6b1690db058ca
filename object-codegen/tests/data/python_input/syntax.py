@declare
class A(Object:
    type_key = "a.A"
    x: ty.
