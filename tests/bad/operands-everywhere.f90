! Operands of wrong types in bounds, interface bodies, lengths, and heads and bodies of constructs.
subroutine s(a, n, v, l)
  integer :: n, i
  logical :: l
  real :: a(n)
  character(:), allocatable :: c
  type t
    integer :: k
  end type
  type(t) :: v
  interface
    function g(m)
      integer, intent(in) :: m
      real :: g(m .and. 1)
    end function
  end interface
  forall (i = 1:n + l) a(i) = i + v
  where (a > l) a = a + v
  allocate (character(len=n + l) :: c)
  block
    real :: q(n + l)
    q = a .foo. 1
  end block
end subroutine
