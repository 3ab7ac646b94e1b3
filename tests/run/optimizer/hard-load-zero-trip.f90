! A load or a store moved out of a zero-trip loop would touch what is not there.
program hard_load_zero_trip
  implicit none
  integer :: v(2), n, i, j, far, s
  integer, allocatable :: none(:)
  common /hidden/ n, far
  n = 0
  far = 500000000
  v = (/ 4, 5 /)
  s = 1
  do i = 1, n
    s = s + v(far)
    v(far) = s
  end do
  print *, s, v
  do i = 1, 2
    do j = 1, n
      none(far) = none(far + 1)
    end do
    s = s + v(i)
  end do
  print *, s, allocated(none)
  do i = 1, 2
    v(1) = v(1) + 1
    do j = i, n
      v(1) = 0
    end do
  end do
  print *, v, j
end program
