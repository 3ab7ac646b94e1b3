! PACK with array and scalar masks and VECTOR; UNPACK with scalar and array field.
program transform_pack_unpack
  implicit none
  integer :: a(6), m(2, 3), i
  logical :: l(2, 3)
  a = (/ 3, 0, 0, 5, 0, 7 /)
  print *, pack(a, a /= 0), size(pack(a, a > 100))
  print *, pack(a, a /= 0, (/ 1, 2, 3, 4, 5 /))
  m = reshape((/ (i, i = 1, 6) /), (/ 2, 3 /))
  print *, pack(m, .true.), pack(m, mod(m, 2) == 0)
  l = reshape((/ .true., .false., .true., .true., .false., .true. /), (/ 2, 3 /))
  print *, unpack((/ 10, 20, 30, 40 /), l, 0)
  print *, unpack((/ 10, 20, 30, 40 /), l, m)
  a(1:count(a /= 0)) = pack(a, a /= 0)
  print *, a
end program
