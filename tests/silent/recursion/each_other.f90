! Procedures that call each other and are RECURSIVE; a function that is called in its own argument.
module m
contains
  recursive logical function even(n) result(r)
    integer, intent(in) :: n
    if (n == 0) then
      r = .true.
    else
      r = odd(n - 1)
    end if
  end function
  recursive logical function odd(n) result(r)
    integer, intent(in) :: n
    if (n == 0) then
      r = .false.
    else
      r = even(n - 1)
    end if
  end function
  integer function twice(n)
    integer, intent(in) :: n
    twice = 2 * n
  end function
end module
program right
  use m
  print *, even(10), odd(7), twice(twice(twice(1)))
end program
