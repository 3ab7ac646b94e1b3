! told at 12:17: Pointer 'p' cannot be deallocated: its target was not allocated
program fault
  call s(3)
contains
  subroutine s(n)
    integer, intent(in) :: n
    integer, pointer :: p
    integer, target :: k
    k = n
    p => k
    print *, p
    deallocate (p)
  end subroutine
end program
