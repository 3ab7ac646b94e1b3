! What a loop counts by an element that it stores itself, by the name of another array.
program count_store_followed
  implicit none
  integer :: a(-3:30), b(-3:30), u, i, j, k
  equivalence (b(0), a(1))
  a = 3
  a(29) = 2
  i = 28
  do j = 0, i
    do k = j, 1, -1
      u = b(1)
      if (u == 2) then
      end if
      a(k) = a(i + 1)
    end do
  end do
  do k = 1, 9
    if (a(5) > 4) then
    end if
    a(k) = k
  end do
  print *, sum(a)
end program
