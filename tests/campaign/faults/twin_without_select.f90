! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: n1, n2, n3, a(0:13), i, j
  character(4) :: c
  common /opaque/ n1, n2, n3
  a = 0
  c = 'a'
  do i = 1, 4
    do j = n3, 9
      select case (mod(j, 5))
      case (3)
        a(j) = a(1) + i
      case (4:5)
        if ('b' == c) then
        end if
      end select
    end do
    c = 'b'
  end do
  call show_i4(1, a, 14)
end subroutine
