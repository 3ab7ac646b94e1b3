! --passes=dce at l, discharged
subroutine k7001751()
  implicit none
  integer :: i, j
  do i = 0, 1
    if (.false.) cycle
    do j = 1, 1
      if (mod(j, 3) == 1) then
      end if
    end do
  end do
end subroutine
