! A generic interface with the name of a type; pointers that are INTENT(IN); NULL() for what is optional
module m
  implicit none
  interface both
    module procedure both
  end interface
  type pair
    integer :: a, b
  end type
  interface pair
    procedure twice, from_text
  end interface
contains
  type(pair) function twice(n)
    integer, intent(in) :: n
    twice%a = n
    twice%b = 2*n
  end function
  type(pair) function from_text(s)
    character(*), intent(in) :: s
    from_text = pair(len(s), 0)
  end function
  integer function both(n)
    integer, intent(in) :: n
    both = n
  end function
  subroutine fill(p)
    integer, pointer, intent(in) :: p(:)
    p = 7
    p(2) = 8
  end subroutine
  subroutine show(x)
    integer, intent(in), optional :: x
    print *, present(x)
    if (present(x)) print *, x
  end subroutine
end module
module other
  use m
  implicit none
  interface both
    procedure both_real
  end interface
contains
  integer function both_real(x)
    real, intent(in) :: x
    both_real = -int(x)
  end function
end module
program main
  use m
  use other
  implicit none
  integer, parameter :: table(0:*, *) = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  integer, parameter :: bits(*) = transfer([1.0, 2.0], [0])
  character(4), parameter :: word = transfer(1684234849, 'abcd')
  integer, pointer :: q(:)
  type(pair) :: p
  p = pair(3)
  print *, p
  p = pair(3, 4)
  print *, p, pair('hello')
  print *, both(1), both(2.5)
  allocate(q(3))
  call fill(q)
  print *, q
  call show(null())
  call show(5)
  print *, lbound(table), ubound(table), table(1, 3), bits, word
end program
