! told at 11:15: Memory of pointer 'n' is never deallocated: 32 bytes in 2 allocations
! flags: -fcheck=leaks
program fault
  type node
    integer :: v
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: n, first
  integer :: i
  do i = 1, 2
    allocate (n)
    n%v = i
    if (i == 1) first => n
    if (i == 2) n%next => first
  end do
  first%next => n
  print *, first%next%v
  nullify (n, first)
end program
