! LEN LEN_TRIM INDEX SCAN VERIFY ADJUSTL ADJUSTR TRIM REPEAT ICHAR CHAR IACHAR ACHAR.
program char_intrinsics
  implicit none
  character(len=10) :: s
  s = '  banana'
  print *, len(s), len_trim(s), len_trim('   '), len(trim(s))
  print *, index(s, 'an'), index(s, 'an', back=.true.), index(s, 'x'), index(s, '')
  print *, scan(s, 'nb'), scan(s, 'nb', .true.), scan(s, 'xyz')
  print *, verify(s, ' b'), verify(s, ' abn'), verify('aab', 'a', back=.true.)
  print *, '[', adjustl(s), '][', adjustr(s), ']'
  print *, repeat('ab', 3), len(repeat('ab', 0)), ichar('A'), char(66), iachar('a'), achar(48)
  print *, ichar(char(200)), trim(s) // '.'
end program
