! told at 10:16: Optional argument 't' is not present
program fault
  type pair
    integer :: a, b
  end type
  call s
contains
    subroutine s(t)
      type(pair), optional :: t
      print *, t%b
    end subroutine
end program
