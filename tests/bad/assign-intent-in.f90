! Stores into INTENT(IN) arguments.
program assign_intent_in
  implicit none
  call s(1, (/ 1, 2 /))
contains
  subroutine s(a, b)
    integer, intent(in) :: a, b(2)
    a = 1
    b(1) = 2
    b = 0
    read (*, *) a
    do a = 1, 2
    end do
    call t(a)
  end subroutine s
  subroutine t(x)
    integer, intent(inout) :: x
    x = 1
  end subroutine t
end program
