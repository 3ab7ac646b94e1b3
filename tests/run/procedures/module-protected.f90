! PROTECTED, IMPORT, PARAMETER arrays of modules, initial values.
module cfg
  implicit none
  integer, protected :: level = 3
  real, protected, save :: table(3) = [1., 2., 3.]
  integer, parameter :: wp = kind(1d0)
  character(len=*), parameter :: names(2) = ['first ', 'second']
contains
  subroutine set_level(n)
    integer, intent(in) :: n
    level = n
    table = table*n
  end subroutine
end module
module user
  use cfg, only: wp, set_level, level, t => table
  implicit none
  interface
    function ext(x) result(y)
      import :: wp
      real(wp), intent(in) :: x
      real(wp) :: y
    end function
  end interface
end module
program p
  use user
  use cfg, only: names
  implicit none
  print *, level, t
  call set_level(5)
  print *, level, t, names
  print *, ext(2.0_wp)
end program
function ext(x) result(y)
  use cfg, only: wp
  real(wp), intent(in) :: x
  real(wp) :: y
  y = x**2
end function
