! told at 8:15: Memory of pointer 'table' is never deallocated: 400 bytes in 1 allocation
! flags: -fcheck=leaks
module m
  integer, pointer :: table(:) => null()
contains
  subroutine start(n)
    integer, intent(in) :: n
    allocate (table(n))
    table = n
  end subroutine
end module
program fault
  use m
  call start(100)
  call start(1)
  print *, table
end program
