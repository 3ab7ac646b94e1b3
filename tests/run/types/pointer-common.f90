! Pointers in COMMON and DATA; specific procedures told apart by POINTER and ALLOCATABLE
module m
  implicit none
  interface which
    procedure of_pointer, of_allocatable
  end interface
  interface kind_of
    procedure of_real, of_integer
  end interface
contains
  subroutine of_pointer(x)
    integer, pointer :: x(:)
    print *, 'pointer', associated(x)
  end subroutine
  subroutine of_allocatable(x)
    integer, allocatable :: x(:)
    print *, 'allocatable', allocated(x)
  end subroutine
  subroutine of_real(x)
    real, pointer :: x
    print *, 'real', associated(x)
  end subroutine
  subroutine of_integer(x)
    integer, pointer :: x
    print *, 'integer', associated(x)
  end subroutine
end module
program p
  use m
  implicit none
  integer, pointer :: a(:), s
  real, pointer :: r
  real :: x
  integer, allocatable :: b(:)
  integer, pointer :: q(:), t
  common /block/ x, a, s
  data q /null()/, t /null()/
  r => null()
  print *, associated(q), associated(t)
  x = 2.5
  allocate (a(3), s)
  a = [1, 2, 3]
  s = 7
  call change
  print *, x, a, s, lbound(a)
  call which(a)
  call which(b)
  call which(null(q))
  call kind_of(null(r))
  call kind_of(s)
end program
subroutine change
  implicit none
  integer, pointer :: list(:), one
  real :: y
  common /block/ y, list, one
  y = y + 1.
  list(2) = 20
  one = one + 1
  list => list(2:)
end subroutine
