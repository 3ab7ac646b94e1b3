! Inquiry functions of parts of variables in constant expressions; their arguments are not evaluated
module parts
  implicit none
  type :: item
    character(6) :: name = 'abcdef'
    character(3) :: codes(4) = ''
    complex(8) :: z(2) = 0
    integer(2) :: n = 7
  end type
  type :: box
    type(item) :: one
    type(item) :: many(5)
  end type
  integer, save :: calls = 0
contains
  real(8) function noisy()
    calls = calls + 1
    noisy = calls
  end function
end module

program inquiry
  use parts
  implicit none
  type(box), save :: b
  character(8), save :: s = 'xyz', t(3) = 'uvw'
  integer, parameter :: l1 = len(b%one%name), l2 = len(b%many(2)%codes), l3 = len(b%one%name(2:4))
  integer, parameter :: l4 = len(s(3:)), l5 = len(t(:)(2:3)), l6 = len(b%many(:)%codes(1)(:2))
  integer, parameter :: k1 = kind(b%one%n), k2 = kind(b%many(1)%z), k3 = kind(b%one%z)
  integer, parameter :: n1 = size(b%one%codes), n2 = size(b%many), n3 = ubound(b%one%z, 1)
  integer, parameter :: h = huge(b%one%n), d = bit_size(b%many(2)%n)
  character(len(b%one%name)) :: copy
  real(kind(b%one%z)) :: x
  print *, l1, l2, l3, l4, l5, l6
  print *, k1, k2, k3, n1, n2, n3
  print *, h, d
  copy = b%one%name
  x = 1 / 3._8
  print *, copy, x
  print *, kind(noisy()), digits(noisy()), huge(noisy()) > 1d300, calls
  call automatic(12, 'hello')
contains
  subroutine automatic(n, c)
    integer, intent(in) :: n
    character(*), intent(in) :: c
    character(n) :: p, o(3)
    integer, parameter :: a = len(p(6:7)), e = len(o(:)(6:7)), f = len(c(2:4))
    print *, a, e, f, len(p), len(o)
  end subroutine
end program
