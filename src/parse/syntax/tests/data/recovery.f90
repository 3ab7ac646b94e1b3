! A head with an error is a head all the same: what follows is not reported.
subroutine s(a,, b)
  integer a
  do i = 1
    x = 1
  end do
  if (x ==) then
    y = 1
  else
    y = 2
  end if
  select case (1 +)
  case (1)
    z = 1
  end select
  where (a(1)
    a = 1
  end where
  do 10 i = ,
10 continue
end subroutine s
