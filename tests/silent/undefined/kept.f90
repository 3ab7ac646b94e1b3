module counter
  implicit none
  private
  integer :: state
  real :: values(10)
  integer, save :: ready = 0
  integer, public :: depth = 0
  public :: next, put, total, down
contains
  integer function next()
    if (ready == 0) then
      state = 10
      ready = 1
    end if
    state = state + 1
    next = state
  end function
  subroutine put
    integer :: i
    do i = 1, 10
      call set(values(i), i)
    end do
  end subroutine
  subroutine set(x, i)
    real, intent(out) :: x
    integer, intent(in) :: i
    x = i
  end subroutine
  real function total()
    total = sum(values)
  end function
  recursive subroutine down(levels)
    integer, intent(in) :: levels
    integer :: own
    call inner
    if (own /= levels) stop 1
    depth = depth + 1
    if (levels > 0) call down(levels - 1)
    if (own /= levels) stop 2
  contains
    subroutine inner
      own = levels
    end subroutine
  end subroutine
end module
program right
  use counter
  implicit none
  integer :: n, list(4), k, m
  real :: x
  namelist /group/ m
  character(len=20) :: text
  print *, next(), next()
  call put
  print *, total()
  call initialise
  print *, n, list
  call each(3)
  print *, k, x
  text = '&group m = 4 /'
  call get
  print *, m
  depth = 0
  call down(4)
  print *, depth
contains
  subroutine initialise
    integer :: i
    n = 4
    do i = 1, n
      list(i) = i
    end do
  end subroutine
  subroutine each(last)
    integer, intent(in) :: last
    do k = 1, last
      if (k == 1) x = 0
      x = x + k
    end do
  end subroutine
  subroutine get
    read (text, nml=group)
  end subroutine
end program
