@declare
class PointNode(Object):
    type_key = "demo.Point"
    x: ty.int64_t
