! WHERE that assigns structures, and by elemental subroutines
module m
  implicit none
  type t
    integer :: i = 0
    character(2) :: s = '..'
  end type
  interface assignment(=)
    module procedure from_integer, from_text
  end interface
contains
  elemental subroutine from_integer(a, n)
    type(t), intent(out) :: a
    integer, intent(in) :: n
    a%i = n
  end subroutine
  elemental subroutine from_text(a, s)
    type(t), intent(inout) :: a
    character(*), intent(in) :: s
    a%s = s
  end subroutine
end module
program p
  use m
  implicit none
  type(t) :: a(5), b(5)
  integer :: k(5), j
  logical :: l(5)
  k = [1, 2, 3, 4, 5]
  a = k
  b = a(5:1:-1)
  where (k > 2) a = b
  print *, a
  where (a%i > 2)
    a = k*10
    b = 'hi'
  elsewhere (k == 4)
    a = 'no'
  elsewhere
    a = -1
    k = 0
  end where
  print *, a
  print *, b
  print *, k
  a = [(t(j, 'ab'), j = 1, 5)]
  l = [.true., .false., .true., .true., .false.]
  where (l) a(:) = a(5:1:-1)
  print *, a%i
  where (l) a = a%i + 100
  print *, a%i
  where (.not. l) a%s = 'zz'
  print *, a%s
end program
