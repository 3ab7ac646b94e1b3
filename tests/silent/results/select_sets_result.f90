! A result that each branch sets.
program right
  print *, f(1), f(2), f(9)
contains
  integer function f(n)
    integer, intent(in) :: n
    select case (n)
    case (1)
      f = 10
    case (2:5)
      f = 20
    case default
      f = 30
    end select
  end function
end program
