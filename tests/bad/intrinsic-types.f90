! Second arrays of other types than the first.
type t
  integer :: i
end type
type(t) :: e(4), f(2, 2)
logical :: m(2, 2)
real :: z
integer :: k(4)
m = .true.
f = unpack(e, m, z)
f = eoshift(f, 1, z)
e = pack(f, m, (/ 1.0, 2.0, 3.0, 4.0, 5.0 /))
f = reshape(e, (/ 2, 2 /), k)
k = pack(k, k > 0, (/ 1.5, 2.5, 3.5, 4.5 /))
end
