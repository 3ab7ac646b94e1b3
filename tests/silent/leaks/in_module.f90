module pool
  real, pointer :: memory(:) => null()
contains
  subroutine open_pool(n)
    integer, intent(in) :: n
    if (associated(memory)) deallocate (memory)
    allocate (memory(n))
    memory = 0
  end subroutine
  subroutine close_pool
    deallocate (memory)
  end subroutine
end module
program right
  use pool
  integer :: i
  do i = 1, 4
    call open_pool(100 * i)
  end do
  print *, size(memory)
  call close_pool
end program
