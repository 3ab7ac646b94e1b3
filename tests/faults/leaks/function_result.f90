! told at 9:15: Memory of pointer 'r' is never deallocated: 16 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  print *, sum(made(4))
contains
  function made(n) result(r)
    integer, intent(in) :: n
    integer, pointer :: r(:)
    allocate (r(n))
    r = n
  end function
end program
