! --passes= at h
subroutine k15()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, i
  common /opaque/ n1, n2, n3, n4, n5, n6
  do i = 6, n6
    if (.true.) then
    end if
  end do
end subroutine
