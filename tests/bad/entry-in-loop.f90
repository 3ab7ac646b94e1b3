subroutine s
  integer :: i
  do i = 1, 3
    entry e
  end do
end subroutine
