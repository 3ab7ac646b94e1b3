! told at 6:13: Pointer actual argument 'chosen' is not associated
program fault
  integer, target :: first = 1
  call show(chosen(1))
  call show(chosen(1) + 1)
  call show(chosen(2))
contains
    function chosen(k) result(p)
      integer, intent(in) :: k
      integer, pointer :: p
      p => null()
      if (k == 1) p => first
    end function
    subroutine show(n)
      integer :: n
      print *, n
    end subroutine
end program
