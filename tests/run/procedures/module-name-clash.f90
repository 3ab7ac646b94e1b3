! Two modules with private uses of the same local names; a local hides nothing.
module left
  implicit none
  integer :: value_left = 1
contains
  integer function twice_left(n)
    integer, intent(in) :: n
    integer :: i
    twice_left = 0
    do i = 1, 2
      twice_left = twice_left + n + value_left
    end do
  end function twice_left
end module left
module right
  implicit none
  integer :: value_right = 10
contains
  subroutine both(n, i)
    use left
    integer, intent(in) :: n
    integer, intent(out) :: i
    value_left = value_left + 1
    i = twice_left(n) + value_right
  end subroutine both
end module right
program module_name_clash
  use right
  use left, only: value_left
  implicit none
  integer :: i, k
  do i = 1, 3
    call both(i, k)
    print *, i, k, value_left
  end do
end program
