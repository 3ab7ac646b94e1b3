program right
  type item
    real, pointer :: x(:) => null()
  end type
  type(item) :: all(10)
  integer :: i, n
  do n = 1, 3
    do i = 1, 10, 2
      allocate (all(i)%x(i * n))
      all(i)%x = i
    end do
    print *, sum([(size(all(i)%x), i = 1, 9, 2)])
    do i = 1, 10
      if (associated(all(i)%x)) deallocate (all(i)%x)
    end do
  end do
end program
