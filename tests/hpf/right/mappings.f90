! Mappings of modules, dummies and automatic arrays: prescribed, described, inherited; REDISTRIBUTE and REALIGN.
module fields
  implicit none
  real :: u(32), v(32)
!HPF$ PROCESSORS p(4)
!HPF$ DISTRIBUTE u(BLOCK) ONTO p
!HPF$ ALIGN v(i) WITH u(i)
contains
  subroutine prescribed(x, n)
    integer, intent(in) :: n
    real, intent(inout) :: x(n)
    real :: work(n), copy(0:n - 1)
!HPF$ DISTRIBUTE x(CYCLIC)
!HPF$ ALIGN work(i) WITH x(i)
!HPF$ ALIGN copy(i) WITH x(i + 1)
    work = x
    copy = work
    x = copy + 1
  end subroutine
  subroutine described(x, y, z)
    real, intent(inout) :: x(:), y(:), z(:)
!HPF$ DISTRIBUTE x *(BLOCK) ONTO *p
!HPF$ ALIGN y(:) WITH *x(:)
!HPF$ INHERIT z
    x = x + y + z
  end subroutine
end module

program mappings
  use fields
  implicit none
  real, allocatable :: a(:)
  real :: b(32), c(32, 32), d(32)
  integer, parameter :: sizes(4) = [8, 4, 12, 8], owners(32) = [((1 + mod(i*i, 4)), i = 1, 32)]
  integer :: i
!HPF$ TEMPLATE t(64)
!HPF$ DISTRIBUTE t(BLOCK) ONTO p
!HPF$ DYNAMIC b, c
!HPF$ ALIGN b(i) WITH t(2*i)
!HPF$ DISTRIBUTE c(*, BLOCK) ONTO p
!HPF$ DISTRIBUTE d(GEN_BLOCK(sizes)) ONTO p
!HPF$ DISTRIBUTE a(INDIRECT(owners)) ONTO p
!HPF$ SEQUENCE i
  allocate (a(32))
  a = 1; b = 2; c = 3; d = 4; u = 5; v = 6
!HPF$ REALIGN b(i) WITH t(i)
!HPF$ REDISTRIBUTE c(BLOCK, *) ONTO p
  call prescribed(u, 32)
  call described(u, v, d)
  print *, nint(sum(a) + sum(b) + sum(c) + sum(d) + sum(u))
end program
