! Structures in COMMON, with SAVE, initial values, PARAMETER, as function results and host variables.
module data
  implicit none
  type date
    sequence
    integer :: year, month
    double precision :: seconds
  end type
  type config
    integer :: level = 3
    character(4) :: tag = 'abcd'
    type(date) :: when = date(2000, 1, 0.5d0)
  end type
  type(config), save :: setting
  type(date) :: start = date(1999, 12, 31d0)
  type(date), parameter :: epoch(2) = [date(1970, 1, 0d0), date(1980, 2, 1d0)]
  integer, parameter :: first = epoch(1)%year
  integer :: sized(epoch(2)%month)
end module
subroutine common_user
  use data
  implicit none
  type(date) :: d
  integer :: k
  common /shared/ d, k
  d%year = d%year + 1
  k = k + d%month
end subroutine
program storage
  use data
  implicit none
  type(date) :: d
  integer :: k
  common /shared/ d, k
  type(config) :: c
  type(date) :: dates(3)
  integer :: i
  d = date(2001, 5, 1.5d0)
  k = 10
  call common_user
  call common_user
  print *, d%year, k, d%seconds
  print *, setting%level, setting%tag, setting%when
  print *, start, first, size(sized)
  print *, c%level, c%tag, c%when%year
  c%level = 9
  setting = c
  call counter
  call counter
  call counter
  call fresh
  call fresh
  dates = epoch(1)
  dates(2) = next(dates(2))
  dates(3) = next(next(dates(2)))
  print *, dates%year
  print *, next(epoch(2))
  call inner(4)
  print *, dates(1), setting%level
contains
  type(date) function next(x)
    type(date), intent(in) :: x
    next = x
    next%year = x%year + 1
  end function
  subroutine counter
    type(config), save :: own
    own%level = own%level + 1
    print *, own%level, own%tag
  end subroutine
  subroutine fresh
    type(config) :: own
    print *, own%level, own%when%seconds
    own%level = 100
  end subroutine
  subroutine inner(n)
    integer, intent(in) :: n
    type(date) :: local(n)
    integer :: j
    do j = 1, n
      local(j) = date(j, j, dble(j))
    end do
    dates(1) = local(n)
    setting%level = sum(local%year)
    print *, local(2:n:2)%month
  end subroutine
end program
