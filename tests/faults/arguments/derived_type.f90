! told at 10:10: The argument 't' of 's' is TYPE(a), but TYPE(b) is passed
program fault
  type a
    integer :: n = 1
  end type
  type b
    integer :: n = 2
  end type
  type(b) :: x
  call s(x)
contains
    subroutine s(t)
      type(a) :: t
      print *, t%n
    end subroutine
end program
