! told at 5:10: Pointer actual argument 'p' is not associated
program fault
  integer, pointer :: p(:)
  nullify (p)
  call s(p)
contains
    subroutine s(x)
      integer :: x(:)
      print *, x
    end subroutine
end program
