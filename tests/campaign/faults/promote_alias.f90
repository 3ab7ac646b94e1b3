! --passes=licm,scalar_replace at h, discharged
subroutine k253()
  implicit none
  integer :: n1, n2, i
  double precision :: a1(13)
  common /c253/ a1
  common /opaque/ n1, n2
  do i = 1, n2
    a1(1) = a1(i)
    a1(n2) = 1.0d0
  end do
  call show_r8(9, a1, 13)
end subroutine
