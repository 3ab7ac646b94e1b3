! Lengths and bounds that are computed of other locals, by functions of arrays of them
module early
  implicit none
  integer :: extra = 5
contains
  pure function by_count(str) result(r)
    character(*), intent(in) :: str
    integer(1) :: ia(len(str))
    integer :: i
    character(count_of([(.true., i = 1, size(ia))]) + extra) :: r
    r = repeat('x', len(r) - 1) // '|'
  end function
  pure function by_procedure(str, form) result(r)
    character(*), intent(in) :: str
    interface
      pure function form(n)
        integer, intent(in) :: n
        complex :: form(3 * n + 2)
      end function
    end interface
    logical :: la(size(form(len(str))))
    integer :: i
    character(count_of([(.true., i = 1, size(la))]) + extra) :: r
    r = repeat('y', len(r) - 1) // '|'
  end function
  pure integer function count_of(l)
    logical, intent(in) :: l(:)
    count_of = 2 * size(l) + 3
  end function
  pure function form_of(n)
    integer, intent(in) :: n
    complex :: form_of(3 * n + 2)
    form_of = (1, 2)
  end function
  subroutine local(n)
    integer, intent(in) :: n
    integer :: a(n, 2), i
    real :: b(count_of([(i > 1, i = 1, size(a))]))
    a = 1
    b = 2
    print *, size(a), size(b), sum(b)
  end subroutine
end module

program early_locals
  use early
  implicit none
  print *, len(by_count('abc')), len(by_procedure('abc', form_of))
  print *, by_count('abc'), by_procedure('ab', form_of)
  call local(3)
end program
