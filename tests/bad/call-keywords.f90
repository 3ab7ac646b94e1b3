! Keyword arguments that are unknown, given twice, or followed by plain ones.
program call_keywords
  implicit none
  call s(a=1, b=2)
  call s(a=1, c=2)
  call s(1, a=2)
  call s(a=1, 2)
contains
  subroutine s(a, b)
    integer, intent(in) :: a, b
    print *, a, b
  end subroutine s
end program
