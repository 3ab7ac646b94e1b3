! USE, ONLY, renames, PRIVATE; module variables and procedures; host association.
module base
  implicit none
  private
  integer, parameter, public :: n = 4
  real, public :: field(n, n)
  integer, public, save :: count = 0
  real, allocatable, public :: work(:)
  integer :: hidden
  public :: step, norm
contains
  subroutine step(x)
    real, intent(inout) :: x(n)
    hidden = hidden + 1
    x = x + field(:, 1)
  end subroutine step
  real function norm(x) result(r)
    real, intent(in) :: x(n)
    r = sqrt(sum(x * x))
  end function norm
end module base

module middle
  use base, only: advance => step, size_of_field => n
  use base, only: field
  implicit none
  integer :: extents(size_of_field)
end module middle

program modules
  use middle
  use base, only: norm
  implicit none
  real :: x(size_of_field), total
  integer :: i
  x = 1.0
  call advance(x)
  total = 0
  do i = 1, size_of_field
    call add(x(i))
  end do
  extents = 0
  print *, norm(x), total
contains
  subroutine add(y)
    real, intent(in) :: y
    integer :: i
    do i = 1, 2
      total = total + y * half(i)
    end do
  end subroutine add
  real function half(i)
    integer, intent(in) :: i
    half = i / 2.0 + field(1, 1)
  end function half
end program modules
