! told at 8:13, where i = 1: Pointer 'p' is not associated
program fault
  integer, pointer :: p(:)
  integer :: i, s
  nullify (p)
  s = 0
  do i = 1, 3
    s = s + p(i)
  end do
  print *, s
end program
