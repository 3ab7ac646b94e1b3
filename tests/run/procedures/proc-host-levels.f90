! Names seen through two levels: module, module procedure, internal procedure.
module levels
  implicit none
  integer :: top = 1
  integer, parameter :: width = 3
contains
  subroutine middle(n)
    integer, intent(in) :: n
    integer :: local(width), i
    local = n
    do i = 1, width
      call bottom
    end do
    print *, top, local, i
  contains
    subroutine bottom
      integer :: k
      do k = 1, i
        local(k) = local(k) + top
      end do
      top = top + shared()
    end subroutine bottom
  end subroutine middle
  integer function shared()
    shared = top * 2
  end function shared
end module levels
program proc_host_levels
  use levels
  implicit none
  call middle(10)
  top = 0
  call middle(-1)
end program
