! Every way to write a kind, and the range of each.
program kinds_declarations
  implicit none
  integer*1 :: a1
  integer*2 a2
  integer(4) :: a4
  integer(kind=8) :: a8
  real*4 r4
  real(8) :: r8
  double precision dp
  logical*1 :: l1
  logical(kind=4) l4
  complex*8 c8
  complex*16 :: c16
  complex(kind=8) :: z
  character*3 :: s3, s5*5
  character(len=2) s2
  character(4) s4
  integer, parameter :: wp = kind(1.0d0), ik = selected_int_kind(12)
  real(wp) :: rw
  integer(ik) :: iw
  a1 = 127; a2 = 32767; a4 = 2147483647; a8 = 9223372036854775807_8
  print *, a1, a2, a4, a8
  print *, kind(a1), kind(a2), kind(a4), kind(a8), kind(r4), kind(r8), kind(dp)
  print *, kind(l1), kind(l4), kind(c8), kind(c16), kind(z), kind(rw), kind(iw)
  print *, len(s3), len(s5), len(s2), len(s4)
  print *, huge(a1), huge(a2), huge(a4), huge(a8)
  print *, digits(r4), digits(r8), precision(rw), range(iw), selected_real_kind(12)
end program
