! VALUE dummies that are characters or structures are copies: what the procedure does to them stays there.
module values
  use iso_c_binding, only: c_char, c_int
  implicit none
  type pair
    integer :: a
    real :: b
  end type
contains
  subroutine text(a, n)
    character(len=8), value :: a
    integer, value :: n
    a(1:1) = 'X'
    print *, a, n
  end subroutine
  subroutine one(c, next) bind(c)
    character(kind=c_char), value :: c
    integer(c_int), value :: next
    print *, 'one ', c, next
    c = 'q'
    print *, c, iachar(c)
    call two(c)
  end subroutine
  subroutine two(c) bind(c)
    character(kind=c_char) :: c
    print *, 'two ', c
  end subroutine
  subroutine shift(p)
    type(pair), value :: p
    p%a = p%a + 1
    p%b = -p%b
    print *, p%a, p%b
  end subroutine
  subroutine maybe(x, i, y)
    real, value, optional :: x
    integer, value, optional :: i
    real, value :: y
    print *, present(x), present(i), y
  end subroutine
  elemental integer function code(c, k)
    character(len=2), value :: c
    integer, intent(in) :: k
    c(2:2) = achar(iachar(c(2:2)) + k)
    code = 1000 * iachar(c(1:1)) + iachar(c(2:2))
  end function
end module

program value_copies
  use values
  implicit none
  character(len=8) :: word
  character(len=2) :: many(3)
  character :: c
  type(pair) :: p, list(2)
  integer :: k
  word = 'abcdefgh'
  call text(word, 3)
  call text('ABCDEFGH', 4)
  print *, word
  c = 'y'
  call one(c, 7)
  call one('z', 8)
  print *, c, word
  p = pair(4, 2.5)
  call shift(p)
  print *, p%a, p%b
  list = [pair(1, 1.0), pair(2, 2.0)]
  do k = 1, 2
    call shift(list(k))
  end do
  print *, list(1)%a, list(2)%b
  call maybe(y = 1.5)
  call maybe(2.0, y = 2.5)
  call maybe(i = 3, y = 3.5)
  many = ['ab', 'cd', 'ef']
  print *, code(many, [1, 2, 3])
  print *, many
end program
