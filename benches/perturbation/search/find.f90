integer function find(keys, n, key)
  implicit none
  integer, intent(in) :: n, keys(n), key
  integer :: i
  find = 0
  do i = 1, n
    if (keys(i) == key) then
      find = i
      return
    end if
  end do
end function
