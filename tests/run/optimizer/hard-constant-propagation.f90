! Constants that stay constants, and ones that stop being so on one path.
program hard_constant_propagation
  implicit none
  integer :: n, m, i, k
  logical :: debug
  n = 4
  m = n * 2
  debug = .false.
  if (debug) then
    print *, 'never'
    n = 100
  end if
  do i = 1, n
    if (i == 3) m = m + 1
    k = m - 8
    if (k == 0) then
      print *, i, 'zero'
    else
      print *, i, 'one'
    end if
  end do
  k = 5
  do
    if (k == 5) then
      n = 7
    else
      n = 9
    end if
    print *, k, n
    k = k - 1
    if (n == 9) exit
  end do
  call constant(3, k)
  call constant(0, k)
contains
  subroutine constant(a, b)
    integer, intent(in) :: a
    integer, intent(inout) :: b
    if (a == 0) then
      print *, 'none', b
    else
      print *, 12 / a, b
      b = b + a
    end if
  end subroutine constant
end program
