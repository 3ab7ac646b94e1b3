! told at 9:16: Optional argument 'n' is not present
module m
contains
  subroutine s(n)
    integer, optional, intent(in) :: n
    call t
  contains
    subroutine t
      print *, n + 1
    end subroutine
  end subroutine
end module
program fault
  use m
  call s()
end program
