! told at 5:22: The result of function 'f' is not set
program fault
  print *, f(3)
contains
    logical function f(n)
      integer, intent(in) :: n
      select case (n)
      case (1)
        f = .true.
      case (2)
        f = .false.
      end select
    end function
end program
