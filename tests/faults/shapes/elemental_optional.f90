! told at 18:31: Array bound mismatch for dimension 1 of array 'weights' (3/2)
module scaling
contains
    elemental subroutine scale(x, by)
      real, intent(inout) :: x
      real, intent(in), optional :: by
      if (present(by)) then
        x = x * by
      else
        x = x * 2.0
      end if
    end subroutine
    subroutine all_of(weights)
      real, intent(in), optional :: weights(:)
      real :: values(3)
      values = [1.0, 2.0, 3.0]
      call scale(values)
      call scale(values, by = weights)
      print *, values
    end subroutine
end module
program fault
  use scaling
  call all_of()
  call all_of([1.0, 2.0, 3.0])
  call all_of([1.0, 2.0])
end program
