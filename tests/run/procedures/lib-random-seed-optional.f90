! RANDOM_SEED with arguments that are optional dummies; CMPLX of BOZ constants; SYSTEM_CLOCK with a small kind.
program seed_optional
  implicit none
  integer :: n
  integer, allocatable :: a(:), b(:)
  integer(1) :: c1
  integer :: rate, most
  real :: x, y
  complex(8) :: z
  call pass(size=n)
  allocate (a(n), b(n))
  a = 42
  call pass(put=a)
  call pass(get=b)
  call random_number(x)
  call random_seed(put=a)
  call random_number(y)
  print *, n > 0, x == y
  z = cmplx(z'3ff8000000000000', 2, 8)
  print *, z
  print *, cmplx(1, b'01000000010000000000000000000000')
  call system_clock(count=c1, count_rate=rate, count_max=most)
  print *, c1, rate, most
contains
  subroutine pass(size, put, get)
    integer, optional :: size, put(:), get(:)
    call random_seed(size, put, get)
  end subroutine
end program
