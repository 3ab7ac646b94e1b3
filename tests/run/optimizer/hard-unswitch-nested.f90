! Two invariant questions at different depths of a nest with a reduction.
program hard_unswitch_nested
  implicit none
  integer :: i, j, s, mode
  integer :: m(5, 7)
  do mode = 0, 3
    s = 0
    do j = 1, 7
      if (btest(mode, 0)) s = s + 1000
      do i = 1, 5
        if (btest(mode, 1)) then
          m(i, j) = i - j
        else if (i > j) then
          m(i, j) = i * j
        else
          m(i, j) = 0
        end if
        s = s + m(i, j)
      end do
    end do
    print *, mode, s, m(5, 2)
  end do
end program
